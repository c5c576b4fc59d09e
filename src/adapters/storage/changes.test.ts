import { expect, test, vi } from 'vitest';
import { announceChange, watchLog } from './changes.ts';

test('a tab hears of changes in other tabs, not of its own, until it stops listening', async () => {
  const otherTab = new BroadcastChannel('coppice-log');
  const hearOther = vi.fn();
  otherTab.onmessage = ({ data }) => hearOther(data);
  const heard = vi.fn();
  const stop = watchLog(heard);

  announceChange('mine');
  otherTab.postMessage('theirs');
  otherTab.postMessage({ not: 'an id' });
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('theirs'));
  await vi.waitFor(() => expect(hearOther).toHaveBeenCalledWith('mine'));
  expect(heard).toHaveBeenCalledTimes(1);

  stop();
  const again = vi.fn();
  const stopAgain = watchLog(again);
  otherTab.postMessage('later');
  await vi.waitFor(() => expect(again).toHaveBeenCalledWith('later'));
  expect(heard).toHaveBeenCalledTimes(1);
  stopAgain();
  otherTab.close();
});
