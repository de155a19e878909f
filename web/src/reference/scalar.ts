/** What is used of the library (`@scalar/api-reference`), whose script comes without types. */
export interface Scalar {
  createApiReference(
    place: Element,
    configuration: object,
  ): {
    destroy(): void
  }
}
