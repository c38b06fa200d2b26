export * from './server/event-reader.ts';
export * from './server/soak-count.ts';
export * from './server/start-test-server.ts';
export * from './server/test-calls.ts';
export * from './server/test-databases.ts';
export * from './server/test-people.ts';
export * from './server/node-program.ts';
export * from './server/describe-access.ts';
