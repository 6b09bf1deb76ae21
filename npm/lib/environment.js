// What differs between browsers and Node: workers, ports, files.

export const isNode = typeof process === 'object' && Boolean(process.versions?.node) && typeof WorkerGlobalScope === 'undefined'

/** Memory may be shared with workers: always in Node, in a browser when the page is cross-origin isolated. */
export const canShare = isNode || globalThis.crossOriginIsolated === true

/** Starts a worker. `handlers.message(data)` gets what it posts, `handlers.failed(reason)` its death. */
export async function spawnWorker(url, handlers) {
  if (isNode) {
    const { Worker } = await import('node:worker_threads')
    const worker = new Worker(url)
    worker.on('message', handlers.message)
    worker.on('error', (error) => handlers.failed(String(error?.message ?? error)))
    return worker
  }
  const worker = new Worker(url, { type: 'module' })
  worker.onmessage = (event) => handlers.message(event.data)
  worker.onerror = (event) => {
    event.preventDefault()
    handlers.failed(event.message || 'a worker could not be started')
  }
  return worker
}

/** Inside a worker: calls `receive` with each message, and gives a function that answers. */
export async function openPort(receive) {
  if (isNode) {
    const { parentPort } = await import('node:worker_threads')
    parentPort.on('message', receive)
    return (message) => parentPort.postMessage(message)
  }
  self.onmessage = (event) => receive(event.data)
  return (message) => self.postMessage(message)
}

/** The bytes of a file of this package. `progress(loaded, total)` is called while they arrive. */
export async function loadBytes(url, progress = () => {}) {
  if (isNode) {
    const { readFile } = await import('node:fs/promises')
    return new Uint8Array(await readFile(url))
  }
  const response = await fetch(url)
  if (!response.ok) throw new Error(`${new URL(url).pathname}: ${response.status}`)
  const total = Number(response.headers.get('content-length')) || 0
  const parts = []
  let loaded = 0
  const reader = response.body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    parts.push(value)
    loaded += value.length
    progress(loaded, total)
  }
  const bytes = new Uint8Array(loaded)
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}

export async function loadModule(url) {
  if (!isNode && WebAssembly.compileStreaming) {
    try {
      return await WebAssembly.compileStreaming(fetch(url))
    } catch {
      // A host that serves modules as another kind of file: compiled when all of it is there.
    }
  }
  return WebAssembly.compile(await loadBytes(url))
}

/** Whether an address that the page made is gone. A synchronous request is the one message that reaches a busy worker. */
export function isGone(url) {
  const request = new XMLHttpRequest()
  try {
    request.open('GET', url, false)
    request.send()
    return request.status !== 200
  } catch {
    return true
  }
}
