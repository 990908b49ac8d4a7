import { BlockList, isIPv6 } from 'node:net'

/** Of private networks, this machine, documentation, tests and multicast: nothing of the public internet lies there. */
const special = new BlockList()
for (const range of [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '172.16.0.0/12', '192.0.0.0/24', '192.0.2.0/24', '192.88.99.0/24'],
  ...['192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24', '224.0.0.0/3'],
])
  add(special, range, 'ipv4')
for (const range of ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']) add(special, range, 'ipv6')

/** Of IPv6, only this is the public internet. */
const global = new BlockList()
add(global, '2000::/3', 'ipv6')

/** Where clouds hand out the credentials of the machine. */
const linkLocal = new BlockList()
add(linkLocal, '169.254.0.0/16', 'ipv4')
add(linkLocal, 'fe80::/10', 'ipv6')
add(linkLocal, 'fd00:ec2::/32', 'ipv6')

/** Of the networks that translate: their last 32 bits are an IPv4 address. */
const mapped = new BlockList()
for (const range of ['::/96', '::ffff:0:0/96', '64:ff9b::/96']) add(mapped, range, 'ipv6')

/** Whether a reference may not lead to the address; `privateAddresses` opens private networks, never link-local ones nor translated addresses. */
export function isRefusedAddress(address: string, privateAddresses: boolean): boolean {
  const plain = address.replace(/%.*$/, '')
  const family = isIPv6(plain) ? 'ipv6' : 'ipv4'
  if (linkLocal.check(plain, family)) return true
  if (family === 'ipv4') return !privateAddresses && special.check(plain, family)
  if (plain === '::1') return !privateAddresses
  if (mapped.check(plain, family)) return true
  return !privateAddresses && (special.check(plain, family) || !global.check(plain, family))
}

function add(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits] = range.split('/')
  list.addSubnet(network, Number(bits), family)
}
