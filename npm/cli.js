#!/usr/bin/env node
// UCI on the standard input and output of Node: `npx tabiya`, or `node node_modules/tabiya/tabiya.js`. In a worker thread of Node the
// lines are messages. The end of the input ends the engine, as `quit` does.

import { createInterface } from 'node:readline'
import { isMainThread, parentPort } from 'node:worker_threads'
import { Pump } from './lib/pump.js'

const output = isMainThread ? (line) => process.stdout.write(`${line}\n`) : (line) => parentPort.postMessage(line)
const input = isMainThread ? createInterface({ input: process.stdin }) : parentPort
const pump = new Pump({ base: new URL('.', import.meta.url), output, ended: () => input.close() })
input.on(isMainThread ? 'line' : 'message', (line) => pump.send(line))
if (isMainThread) input.once('close', () => pump.send('quit'))
