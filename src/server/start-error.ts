/** An expected reason why the process cannot start; its message is one line for operators. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
