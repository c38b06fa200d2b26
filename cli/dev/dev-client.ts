/** Paths of the page's dev client and of its event stream, under the base path. */
export const clientFile = '@dev/client.js';
export const streamPath = '@dev/events';

/** Runs in the page: reloads it after a rebuild, and shows build problems in an overlay. */
function runClient(streamUrl: string): void {
  const show = (problems: readonly string[]) => {
    document.getElementById('walkdown-problems')?.remove();
    if (problems.length === 0) return;
    const panel = document.createElement('pre');
    panel.id = 'walkdown-problems';
    panel.textContent = problems.join('\n\n');
    Object.assign(panel.style, {
      position: 'fixed',
      inset: '0',
      zIndex: '2147483647',
      margin: '0',
      padding: '2rem',
      overflow: 'auto',
      font: '14px/1.5 monospace',
      whiteSpace: 'pre-wrap',
      color: '#fff',
      background: 'rgb(40 0 0 / 0.94)',
    });
    document.body.append(panel);
  };
  const events = new EventSource(streamUrl);
  let firstBuild: string | undefined;
  events.addEventListener('build', (event: MessageEvent<string>) => {
    const { build, problems } = JSON.parse(event.data) as { build: string; problems: readonly string[] };
    // The stream begins with the current state, so builds during a lost connection are noticed too.
    if (firstBuild !== undefined && firstBuild !== build && problems.length === 0) location.reload();
    firstBuild ??= build;
    show(problems);
  });
}

/** The script of the dev client. */
export function formatClientScript(basePath: string): string {
  return `(${runClient.toString()})(${JSON.stringify(`${basePath}/${streamPath}`)});\n`;
}
