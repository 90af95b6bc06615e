import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#test/support/services/ports.ts'

/** The reason why no load balancer can be tested, or false: a value for `skip`. */
export const loadBalancerSkipReason = (): string | false =>
  process.env['TEST_NGINX'] === undefined && 'nginx is not tested: TEST_NGINX is not set'

/** A running load balancer. */
export interface LoadBalancer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** The directives by which nginx keeps its temporary files in a folder. */
export const temporaryPaths = (folder: string): string =>
  ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/${kind};`)
    .join(' ')

/** Starts nginx with the shipped configuration, except for ports and folders. */
export async function startLoadBalancer(ports: readonly number[]): Promise<LoadBalancer> {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-front-'))
  const port = await freePort()
  const shipped = await readFile(join(import.meta.dirname, '../../../deploy/nginx.conf'), 'utf8')
  const servers = ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`)
  const text = shipped
    .replace(
      /server 127\.0\.0\.1:3001.*\n\s*server 127\.0\.0\.1:3002.*\n/,
      `${servers.join('\n')}\n`,
    )
    .replace('listen 8080;', `listen 127.0.0.1:${port};`)
    // As root, so that its worker can write large bodies to the folder, which is private.
    .replace(
      'worker_processes auto;',
      `user root; daemon off; worker_processes 1; pid ${folder}/pid;`,
    )
    .replace('http {', `http { ${temporaryPaths(folder)}`)
  const config = join(folder, 'nginx.conf')
  await writeFile(config, text)
  const programArguments = ['-p', folder, '-c', config, '-e', join(folder, 'error.log')]
  const child = spawn(process.env['TEST_NGINX'] ?? 'nginx', programArguments, { stdio: 'inherit' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  const ended = once(child, 'close')
  const url = `http://127.0.0.1:${port}`
  while (!(await fetch(`${url}/health/live`).catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error('nginx ended')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    url,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
      process.off('exit', kill)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
