// The engine for programs that use modules, in browsers and in Node.

const isNode = typeof process === 'object' && Boolean(process.versions?.node) && typeof window === 'undefined'

/** Starts an engine. See `index.d.ts`. */
export async function createEngine(options = {}) {
  const listeners = new Set(options.onLine ? [options.onLine] : [])
  const tell = (line) => listeners.forEach((listener) => listener(line))
  let send
  let terminate
  if (isNode) {
    const { Pump } = await import('./lib/pump.js')
    const pump = new Pump({ base: new URL('.', import.meta.url), build: options.build, output: tell, ended: () => {} })
    send = (line) => pump.send(line)
    terminate = () => pump.terminate()
  } else {
    const url = new URL('./tabiya.js', import.meta.url)
    if (options.build) url.searchParams.set('build', options.build)
    const worker = new Worker(url)
    worker.onmessage = (event) => tell(event.data)
    worker.onerror = (event) => tell(`info string the engine cannot load: ${event.message}`)
    send = (line) => worker.postMessage(line)
    terminate = () => worker.terminate()
  }
  return {
    send,
    terminate,
    onLine(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    /** Sends a line and collects the answer up to the line that begins with `last`. */
    ask(line, last) {
      return new Promise((resolve) => {
        const answer = []
        const listener = (text) => {
          answer.push(text)
          if (text.startsWith(last)) {
            listeners.delete(listener)
            resolve(answer)
          }
        }
        listeners.add(listener)
        send(line)
      })
    },
  }
}

/**
 * As the package `stockfish` is used in Node: `const engine = await initEngine()`, then `engine.listener = (line) => ...` and
 * `engine.sendCommand('uci')`. A name of one of its builds may be given; here the best build is taken. See `index.d.ts`.
 */
export default async function initEngine(name, callback = typeof name === 'function' ? name : undefined) {
  const wrapped = { listener: null }
  const engine = await createEngine({ onLine: (line) => (wrapped.listener ?? console.log)(line) })
  wrapped.sendCommand = (line) => engine.send(line)
  wrapped.terminate = () => engine.terminate()
  callback?.(null, wrapped)
  return wrapped
}
