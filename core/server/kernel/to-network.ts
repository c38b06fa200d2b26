import { isIPv6 } from 'node:net';

/**
 * Whom limits count together: an IPv4 address as it is; of IPv6 the first 64 bits (`2001:db8:0:1::/64`), for a single
 * customer is given at least so many addresses as lie below them.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [left = [], right] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const groups =
    right === undefined
      ? left
      : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
