// oxlint-disable-next-line import/no-unassigned-import -- a polyfill that @peculiar/x509 needs before it is loaded
import 'reflect-metadata'

export * from '@peculiar/x509'
