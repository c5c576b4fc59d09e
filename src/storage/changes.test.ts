import { expect, onTestFinished, test, vi } from 'vitest';
import {
  announceChange,
  announceLessons,
  announceSetting,
  exclusive,
  watchLessons,
  watchLog,
  watchSettings,
} from './tab-sync.ts';

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

test('a tab hears that another changed the lessons, and nothing of the logs then', async () => {
  const otherTab = new BroadcastChannel('coppice-lessons');
  const hearOther = vi.fn();
  otherTab.onmessage = hearOther;
  const heard = vi.fn();
  const heardOfLogs = vi.fn();
  const stop = watchLessons(heard);
  const stopLogs = watchLog(heardOfLogs);
  announceLessons();
  await vi.waitFor(() => expect(hearOther).toHaveBeenCalledTimes(1));
  otherTab.postMessage(null);
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
  expect(heardOfLogs).not.toHaveBeenCalled();
  stop();
  stopLogs();
  otherTab.close();
});

test('a tab hears which setting another saved', async () => {
  const otherTab = new BroadcastChannel('coppice-settings');
  const hearOther = vi.fn();
  otherTab.onmessage = ({ data }) => hearOther(data);
  const heard = vi.fn();
  const stop = watchSettings(heard);
  announceSetting('mine');
  otherTab.postMessage('theirs');
  await vi.waitFor(() => expect(hearOther).toHaveBeenCalledWith('mine'));
  await vi.waitFor(() => expect(heard).toHaveBeenCalledWith('theirs'));
  expect(heard).toHaveBeenCalledTimes(1);
  stop();
  otherTab.close();
});

test('where site data is blocked a task runs without its lock, once', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const refuse = async () => {
    throw new DOMException('', 'SecurityError');
  };
  vi.stubGlobal('navigator', { locks: { request: refuse } });
  const task = vi.fn(async () => undefined);
  expect(await exclusive('a turn', 0, task)).toBe(true);
  expect(task).toHaveBeenCalledTimes(1);
  await expect(exclusive('a turn', 0, refuse)).rejects.toThrow();
});
