import { memoryStorage } from './memory-storage.ts';
import { storageContract } from './testing/storage-contract.ts';

storageContract('memory', () => {
  const storage = memoryStorage();
  return { connect: async () => storage };
});
