// The engine in one worker, without threads. A search keeps the worker busy, so orders reach it by other ways than messages:
// a number in shared memory where the page may share, else a message that a search lets in where the browser can suspend it, else an
// address that is taken away.

import { canShare, isNode, spawnWorker } from './environment.js'

const WORKER = new URL('./search-worker.js', import.meta.url)
const STARTS_WORK = /^\s*(go|bench|perft|speedtest)\b/
/** Lines that end a running search before they are obeyed, as in the native engine. */
const ENDS_SEARCH = /^\s*(go|bench|perft|speedtest|ucinewgame|setoption|xboard)\b/

export class SingleEngine {
  #module
  #events
  #worker = null
  #number = 0
  #orders = null
  #hearsMessages = false
  #urls = new Map()
  #busy = new Set()
  #weights = null

  /** `events.line(text)` gets the output, `events.failed(reason)` the death of the worker. */
  constructor(module, events) {
    this.#module = module
    this.#events = events
  }

  async start() {
    const shared = canShare ? new SharedArrayBuffer(12) : null
    this.#orders = shared ? new Int32Array(shared) : null
    await new Promise((resolve, reject) => {
      const message = (message) => {
        if (message.kind === 'loaded') this.#worker.postMessage({ kind: 'start', module: this.#module, shared })
        else if (message.kind === 'ready') {
          this.#hearsMessages = message.suspends
          resolve()
        } else this.#receive(message)
      }
      const failed = (reason) => {
        reject(new Error(reason))
        this.#events.failed(reason)
      }
      spawnWorker(WORKER, { message, failed }).then((worker) => (this.#worker = worker), reject)
    })
  }

  #receive(message) {
    if (message.kind === 'output') this.#events.line(message.text)
    if (message.kind === 'done') this.#finish(message)
    if (message.kind === 'weights') this.#weights?.(message.isGood)
    if (message.kind === 'failed') this.#events.failed(message.reason)
  }

  #finish({ number, goesOn }) {
    this.#busy.delete(number)
    for (const url of this.#urls.get(number) ?? []) URL.revokeObjectURL(url)
    this.#urls.delete(number)
    if (!goesOn) this.#events.ended()
  }

  get isSearching() {
    return this.#busy.size > 0
  }

  #order(slot) {
    if (this.#orders) {
      Atomics.store(this.#orders, slot, this.#number)
      return
    }
    if (this.#hearsMessages) return this.#worker.postMessage({ kind: 'order', slot, number: this.#number })
    for (const urls of this.#urls.values()) {
      if (urls[slot]) URL.revokeObjectURL(urls[slot])
    }
  }

  send(line) {
    const word = line.trim().split(/\s+/, 1)[0]
    if (this.isSearching) {
      if (word === 'stop') return this.#order(0)
      if (word === 'ponderhit') return this.#order(1)
      // It is alive, and only a message to it would wait.
      if (word === 'isready') return this.#events.line('readyok\n')
      if (word === 'quit' || ENDS_SEARCH.test(line)) this.#order(0)
    }
    const message = { kind: 'line', text: line, number: ++this.#number }
    if (STARTS_WORK.test(line)) {
      this.#busy.add(message.number)
      if (!this.#orders && !this.#hearsMessages && !isNode) {
        const address = () => URL.createObjectURL(new Blob(['.']))
        const urls = [address(), /\bponder\b/.test(line) ? address() : null]
        ;[message.stopUrl, message.releaseUrl] = urls
        this.#urls.set(message.number, urls.filter(Boolean))
      }
    }
    this.#worker.postMessage(message)
  }

  /** Whether the engine took the weights. */
  install(bytes) {
    return new Promise((resolve) => {
      this.#weights = resolve
      this.#worker.postMessage({ kind: 'weights', bytes })
    })
  }

  terminate() {
    this.#worker?.terminate()
  }
}
