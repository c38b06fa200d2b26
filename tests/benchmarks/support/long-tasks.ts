declare global {
  interface Window {
    /** Milliseconds of each task of the main thread above 50 ms. */
    longTasks: number[];
  }
}

/** A script for a page: records its long tasks. */
export function recordLongTasks(): void {
  window.longTasks = [];
  new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration))).observe(
    { type: 'longtask', buffered: true },
  );
}
