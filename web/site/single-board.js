// The board's session in the one worker there is, for a page that may not share memory. A search keeps the worker busy, so the page
// takes addresses away when it sends something: a request for such an address is the one message that reaches a busy worker.

import { isGone } from './lib/environment.js'
import { call, instantiate, pause } from './lib/wasi.js'

/** Milliseconds between two looks at the addresses, and between two signs of life. */
const LOOK_INTERVAL = 15
const LIFE_INTERVAL = 1000

export class SingleBoard {
  #module
  #events
  #engine = null
  #isOver = false
  #isSearching = false
  #isResting = false
  /** The addresses that the page has not taken away: the first with anything it sends, the second with what ends searches. */
  #addresses = []
  #lastLook = 0
  #lastLife = 0
  #timer = 0
  #turns = new MessageChannel()

  /** `events.alive()` is called now and then while a search runs. */
  constructor(module, events) {
    this.#module = module
    this.#events = events
    this.#turns.port1.onmessage = () => this.#step()
  }

  async prepare() {
    const options = { emit: (text) => this.#events.line(text), poll: () => this.#poll(), sleep: (time) => this.#sleep(time) }
    this.#engine = await instantiate(await this.#module, options)
  }

  get exports() {
    return this.#engine.instance.exports
  }

  /** Calls an export that takes bytes, then does what it has asked for, when other messages of the page were heard. */
  call(name, bytes) {
    const result = call(this.#engine, name, bytes)
    this.#turns.port2.postMessage(null)
    return result
  }

  listen(addresses) {
    this.#addresses = addresses
  }

  /** Runs no search until `wake`: a worker that searches hears nothing of what it loads. */
  rest() {
    this.#isResting = true
  }

  wake() {
    this.#isResting = false
    this.#turns.port2.postMessage(null)
  }

  #step() {
    if (this.#isOver || this.#isResting) return
    clearTimeout(this.#timer)
    let wait = 0
    this.#isSearching = true
    this.#lastLook = performance.now()
    try {
      wait = this.exports.tabiya_step()
    } catch (error) {
      if (!this.#isOver) this.#events.failed(this.#engine.panic?.trim() || String(error?.message ?? error))
      return
    } finally {
      this.#isSearching = false
    }
    if (wait === 0) this.#turns.port2.postMessage(null)
    if (wait > 0) this.#timer = setTimeout(() => this.#step(), wait)
  }

  /** From within a search: tells the module what the page wants. */
  #poll() {
    const now = performance.now()
    if (!this.#isSearching || now - this.#lastLook < LOOK_INTERVAL) return
    // What follows asks for the time, too.
    this.#lastLook = Infinity
    const [any, ending] = this.#addresses
    if (any && isGone(any)) this.exports.tabiya_interrupt(ending && isGone(ending) ? 1 : 0)
    if (now - this.#lastLife > LIFE_INTERVAL) {
      this.#lastLife = now
      this.#events.alive()
    }
    this.#lastLook = performance.now()
  }

  #sleep(milliseconds) {
    const end = performance.now() + milliseconds
    do {
      pause(Math.min(5, milliseconds))
      this.#poll()
    } while (performance.now() < end)
  }

  terminate() {
    this.#isOver = true
    clearTimeout(this.#timer)
  }
}
