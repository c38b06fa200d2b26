/** Path of the page's dev client and its event stream, under the base path. */
export const clientFile = '@dev/client.js';
export const streamPath = '@dev/events';

/** Runs in the page: reloads it after a rebuild, and shows build problems in an overlay. */
function client(stream: string): void {
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
  const events = new EventSource(stream);
  let begun: string | undefined;
  events.addEventListener('build', (event: MessageEvent<string>) => {
    const { build, problems } = JSON.parse(event.data) as { build: string; problems: readonly string[] };
    // Also after a lost connection: the stream begins with the current state.
    if (begun !== undefined && begun !== build && problems.length === 0) location.reload();
    begun ??= build;
    show(problems);
  });
}

/** The text of the helper. */
export function clientScript(basePath: string): string {
  return `(${client.toString()})(${JSON.stringify(`${basePath}/${streamPath}`)});\n`;
}
