/*
 * Probes the GPU in a worker, where models will use it, so that a driver that compiles shaders or hangs costs the page no
 * frames.
 *
 *   page ◀─ Machine['webgpu'] ── worker      once, whatever it is asked; then the page terminates it
 */
import { probeWebgpu } from './probe-webgpu.ts';

void probeWebgpu(navigator.gpu).then((webgpu) => self.postMessage(webgpu));
