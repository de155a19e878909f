/** The databases of a run: clones of one prepared database, on one server. */
export interface Cluster {
  /** The server's URL, for creating databases. */
  server: string
  /** A migrated database with a company in it, without connections. */
  template: string
  /** The master key that the template is sealed with. */
  masterKey: string
  company: { companyId: string; orgnr: string }
}

let cluster: Cluster | undefined

/** From now on, services start on a clone of the cluster's template instead of a database server of their own. */
export function useCluster(given: Cluster): void {
  cluster = given
}

export function getCluster(): Cluster | undefined {
  return cluster
}
