/** Says in one line, for whoever starts the server, why it cannot start. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
