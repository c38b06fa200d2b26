import { expect, it } from 'vitest';
import { formatDevice } from './format-device.ts';

it.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36',
    'Chrome (Windows)',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0',
    'Microsoft Edge (Windows)',
  ],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0', 'Firefox (Linux)'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari (iOS)',
  ],
  ['curl/8.5.0', 'curl'],
  ['<script>alert(1)</script>', 'scriptalert(1)'],
  ['\u0000\u0007', 'unknown'],
  ['', 'unknown'],
  [undefined, 'unknown'],
])('names the device of %j', (userAgent, device) => {
  expect(formatDevice(userAgent)).toBe(device);
});

it('stays short and fast for any input', () => {
  const begin = performance.now();
  expect(formatDevice(`Mozilla/5.0 ${'('.repeat(100_000)}`).length).toBeLessThanOrEqual(60);
  expect(performance.now() - begin).toBeLessThan(1000);
});
