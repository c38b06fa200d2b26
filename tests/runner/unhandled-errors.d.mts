export const unhandledErrorsVariable: string;
export default class UnhandledErrorsReporter {
  onTestRunEnd(modules: readonly unknown[], errors: readonly object[]): void;
}
