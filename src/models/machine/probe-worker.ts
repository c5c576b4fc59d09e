/*
 * Tries the GPU where models will use it, in a worker: a driver that builds shaders or hangs takes no frame of the page.
 *
 *   page ◀─ Machine['webgpu'] ── worker      once, unasked; then the page ends it
 */
import { probeWebgpu } from './probe-webgpu.ts';

void probeWebgpu(navigator.gpu).then((webgpu) => self.postMessage(webgpu));
