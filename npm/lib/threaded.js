// The engine with threads: every thread a worker, all on one memory. This side never waits, so it can start workers for threads
// that do.

import { isNode, spawnWorker } from './environment.js'
import { OutboxReceiver, hasOutbox } from './outbox.js'
import { call, instantiate } from './wasi.js'

const WORKER = new URL('./search-worker.js', import.meta.url)
const PAGE = 65536
/** Most memory, in bytes: what the module declares, and what to try where a browser refuses it. */
const SIZES = [1 << 30, 1 << 29, 1 << 28]
/** Memory at the start, in pages: more than the module's data and first stack. */
const FIRST_PAGES = 512

function sharedMemory() {
  let refusal = null
  for (const size of SIZES) {
    try {
      return new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: size / PAGE, shared: true })
    } catch (error) {
      refusal = error
    }
  }
  throw refusal
}

export class ThreadedEngine {
  #module
  #events
  #memory = null
  #engine = null
  #workers = new Set()
  #idle = []
  #isOver = false
  #counter = new SharedArrayBuffer(4)
  #outbox = null
  #encoder = new TextEncoder()

  /** `module` may still be loading: workers start meanwhile. */
  constructor(module, events) {
    this.#module = module
    this.#events = events
    new Int32Array(this.#counter)[0] = 1
    // For browsers only: the package for Node has no threads.
    if (hasOutbox && !isNode) this.#outbox = new OutboxReceiver((text) => this.#events.line(text))
  }

  async start() {
    await this.prepare()
    if (this.invoke('tabiya_start') !== 0) throw new Error('the engine did not start')
  }

  /** The module is there, but nothing has been started in it. */
  async prepare() {
    this.#module = await this.#module
    this.#memory = sharedMemory()
    const spawn = (argument) => {
      const number = Atomics.add(new Int32Array(this.#counter), 0, 1)
      this.#startThread(number, argument)
      return number
    }
    const emit = (text) => {
      this.#outbox?.drain()
      this.#events.line(text)
    }
    this.#engine = await instantiate(this.#module, { emit, spawn, memory: this.#memory })
  }

  get exports() {
    return this.#engine.instance.exports
  }

  invoke(name, ...given) {
    return this.exports[name](...given)
  }

  /** Calls an export that takes bytes. */
  call(name, bytes) {
    return call(this.#engine, name, bytes, this.#memory)
  }

  /** Starts workers for threads to come: a worker takes longer to start than a thread. */
  warm(count) {
    for (let index = 0; index < count; index++) this.#startWorker().then((worker) => this.#idle.push(worker), () => {})
  }

  /** A worker that is loaded and runs no thread. */
  #startWorker() {
    return new Promise((resolve, reject) => {
      const one = { worker: null }
      const failed = (reason) => {
        reject(new Error(reason))
        this.#outbox?.drain()
        this.#events.failed(reason)
      }
      const message = (message) => {
        // What a thread said before it failed or ended comes before that.
        this.#outbox?.drain()
        if (message.kind === 'loaded') resolve(one)
        if (message.kind === 'output') this.#receive(message)
        if (message.kind === 'spawn') this.#startThread(message.number, message.argument)
        if (message.kind === 'exit') this.#idle.push(one)
        if (message.kind === 'failed') this.#events.failed(message.reason)
      }
      spawnWorker(WORKER, { message, failed }).then((worker) => {
        if (this.#isOver) return worker.terminate()
        one.worker = worker
        this.#workers.add(worker)
      }, reject)
    })
  }

  #receive({ number, text }) {
    if (number === undefined) this.#events.line(text)
    else this.#outbox.posted(number, text)
  }

  async #startThread(number, argument) {
    try {
      const { worker } = this.#idle.pop() ?? (await this.#startWorker())
      const outbox = this.#outbox?.buffer
      worker.postMessage({ kind: 'thread', number, argument, module: this.#module, memory: this.#memory, counter: this.#counter, outbox })
    } catch (error) {
      this.#events.failed(String(error?.message ?? error))
    }
  }

  send(line) {
    this.call('tabiya_line', this.#encoder.encode(line))
    if (/^\s*quit\b/.test(line)) this.#events.ended()
  }

  async install(bytes) {
    return this.call('tabiya_weights', bytes) === 0
  }

  terminate() {
    this.#isOver = true
    this.#outbox?.end()
    this.#idle = []
    for (const worker of this.#workers) worker.terminate()
    this.#workers.clear()
  }
}
