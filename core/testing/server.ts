export * from './server/start-test-server.ts';
export * from './server/test-calls.ts';
export * from './server/test-databases.ts';
export * from './server/test-people.ts';
