/**
 * Headers sent with the page by every server here, and by the service worker if the host sends none. WASM may use
 * several threads only in a cross-origin isolated page; otherwise the page works with one. Under `require-corp` it
 * could not tell a model server that rejects cross-origin pages from one that does not exist.
 */
export const PAGE_HEADERS = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'credentialless',
  'Permissions-Policy': 'camera=(), geolocation=(), payment=(), usb=()',
};
