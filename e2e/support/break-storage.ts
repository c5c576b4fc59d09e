import type { Page } from '@playwright/test';

/** Makes all further storing and deleting fail, as on a full disk. Returns a function that ends this. */
export const breakStorage = async (page: Page): Promise<() => Promise<void>> => {
  const real = await page.evaluateHandle(() => {
    const { put, delete: remove } = IDBObjectStore.prototype;
    const fail = () => {
      throw new DOMException('no room, for the test', 'QuotaExceededError');
    };
    Object.assign(IDBObjectStore.prototype, { put: fail, delete: fail });
    return { put, delete: remove };
  });
  return () => real.evaluate((methods) => void Object.assign(IDBObjectStore.prototype, methods));
};

/** Run before the page's own scripts: no database can be opened. */
export const blockDatabases = (): void => {
  IDBFactory.prototype.open = () => {
    throw new DOMException('blocked for the test', 'SecurityError');
  };
};
