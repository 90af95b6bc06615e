import type { FastifyRequest } from 'fastify'

/** True for a request whose body has not arrived completely with its header fields. */
export const hasBody = ({ httpVersionMajor, complete, headers }: FastifyRequest['raw']): boolean =>
  httpVersionMajor === 2
    ? !complete
    : headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
