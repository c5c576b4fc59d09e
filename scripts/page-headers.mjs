/**
 * What a host says with the page. Sent by every server here, and by the service worker where the host says nothing.
 * WASM may use several threads only in a page that shares nothing with others; the page works without, on one. Under `require-corp` it
 * could not tell a model server that keeps pages out from one that is not there.
 */
export const PAGE_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'credentialless',
  'Permissions-Policy': 'camera=(), geolocation=(), payment=(), usb=()',
};
