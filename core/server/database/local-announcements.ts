import { EventEmitter } from 'node:events';
import type { Announcements } from './pool-database.ts';

/** Creates announcements within one process. They are delivered asynchronously, as by PostgreSQL. */
export function createLocalAnnouncements(): Announcements {
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
