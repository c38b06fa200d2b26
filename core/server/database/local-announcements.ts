import { EventEmitter } from 'node:events';
import type { Announcements } from './pool-database.ts';

/** Announcements within one process, delivered asynchronously as over a network. */
export function localAnnouncements(): Announcements {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    async notify(channel, payload) {
      setImmediate(() => emitter.emit(channel, payload));
    },
    async listen(channel, listener) {
      emitter.on(channel, listener);
      return async () => void emitter.off(channel, listener);
    },
    async close() {
      emitter.removeAllListeners();
    },
  };
}
