import { isIPv6 } from 'node:net';

/**
 * The unit of rate limits: an IPv4 address, or the first 64 bits of IPv6 (`2001:db8:0:1::/64`), because a single
 * customer usually owns a whole /64.
 */
export function toNetwork(address: string): string {
  if (!isIPv6(address)) return address;
  const ipv4Address = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (ipv4Address !== undefined) return ipv4Address;
  const canonical = new URL(`http://[${address.replace(/%.*$/, '')}]`).hostname.slice(1, -1);
  const [left = [], right] = canonical.split('::').map((part) => part.split(':').filter((group) => group !== ''));
  const groups =
    right === undefined
      ? left
      : [...left, ...Array.from({ length: 8 - left.length - right.length }, () => '0'), ...right];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
