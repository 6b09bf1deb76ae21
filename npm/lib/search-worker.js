// A worker of the engine: the one that searches where there are no threads, or one thread of several.

import { isGone, openPort } from './environment.js'
import { OutboxSender } from './outbox.js'
import { call, instantiate, pause } from './wasi.js'

/** Milliseconds between two looks for an order where a look is expensive. */
const LOOK_INTERVAL = 15

let engine = null
let post = () => {}
const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** The line being handled: its number, and the addresses that vanish when it is to be stopped or released. */
let current = null
let orders = null
let lastLook = 0

let isPolling = false

/** Called from within a call of the module, and again by what it passes on: the module asks for the time then. */
function poll() {
  if (!current || isPolling) return
  isPolling = true
  passOrdersOn()
  isPolling = false
}

/** Looks for an order to stop and passes it on. */
function passOrdersOn() {
  // Again: a search that had not begun when it was told has forgotten it.
  if (current.isReleased) engine.instance.exports.tabiya_interrupt(2)
  if (current.isStopped) {
    engine.instance.exports.tabiya_interrupt(1)
    return
  }
  let isStopped = false
  let isReleased = false
  if (orders) {
    isStopped = Atomics.load(orders, 0) >= current.number
    isReleased = Atomics.load(orders, 1) >= current.number
  } else {
    const now = performance.now()
    if (!current.stopUrl || now - lastLook < LOOK_INTERVAL) return
    isStopped = isGone(current.stopUrl)
    isReleased = current.releaseUrl ? isGone(current.releaseUrl) : false
    lastLook = performance.now()
  }
  if (isReleased && !current.isReleased) {
    current.isReleased = true
    engine.instance.exports.tabiya_interrupt(2)
  }
  if (isStopped) {
    current.isStopped = true
    engine.instance.exports.tabiya_interrupt(1)
  }
}

function sleep(milliseconds) {
  const end = performance.now() + milliseconds
  do {
    if (orders) Atomics.wait(orders, 2, 0, Math.min(5, milliseconds))
    else pause(Math.min(5, milliseconds))
    poll()
  } while (performance.now() < end && !current?.isStopped)
}

const emit = (text) => post({ kind: 'output', text })

/** An instance for one thread after another: each begins with a stack of its own. One instance a thread would add up, because a worker
 * that hardly rests is seldom cleaned. */
function prepareThread(module, memory, counter, outbox) {
  const numbers = new Int32Array(counter)
  const spawn = (argument) => {
    const number = Atomics.add(numbers, 0, 1)
    post({ kind: 'spawn', number, argument })
    return number
  }
  const sender = outbox && new OutboxSender(outbox)
  const emitBytes = sender && ((bytes) => {
    const number = sender.send(bytes)
    if (number !== null) post({ kind: 'output', number, text: decoder.decode(bytes.slice()) })
  })
  return instantiate(module, { emit, emitBytes, spawn, memory }, true)
}

const messages = {
  async start({ module, shared }) {
    orders = shared ? new Int32Array(shared) : null
    engine = await instantiate(module, { emit, poll, sleep })
    if (engine.instance.exports.tabiya_start() !== 0) throw new Error('the engine did not start')
    post({ kind: 'ready' })
  },
  async thread({ module, memory, number, argument, counter, outbox }) {
    engine ??= await prepareThread(module, memory, counter, outbox)
    engine.instance.exports.wasi_thread_start(number, argument)
    post({ kind: 'exit' })
  },
  line({ text, number, stopUrl, releaseUrl }) {
    current = { number, stopUrl, releaseUrl }
    lastLook = performance.now()
    const goesOn = call(engine, 'tabiya_line', encoder.encode(text)) !== 0
    current = null
    post({ kind: 'done', number, goesOn })
  },
  weights({ bytes }) {
    post({ kind: 'weights', isGood: call(engine, 'tabiya_weights', bytes) === 0 })
  },
}

const waiting = []
let isBusy = false

/** One message after another, also while the module is being compiled. */
async function drain() {
  if (isBusy) return
  isBusy = true
  while (waiting.length > 0) {
    const message = waiting.shift()
    try {
      await messages[message.kind]?.(message)
    } catch (error) {
      post({ kind: 'failed', reason: engine?.panic?.trim() || String(error?.message ?? error) })
    }
  }
  isBusy = false
}

post = await openPort((message) => {
  waiting.push(message)
  drain()
})
// The pump sends nothing before: a worker that is still loading would lose it in some browsers.
post({ kind: 'loaded' })
