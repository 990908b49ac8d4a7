import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { systemCode } from '../schema/reason.ts'

/**
 * Within what a process id means the same process: on Linux one boot and one container, elsewhere the host by its name.
 * Containers often share a host name, and a pid of another one says nothing here.
 */
export function machineIdentity(): string {
  try {
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`
  } catch {
    return hostname()
  }
}

/** When a process began, in ticks of the kernel; empty where the system does not tell. */
export function processStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '' // the name in parentheses may hold anything; the start is field 22
  } catch {
    return ''
  }
}

/** Whether a process of this machine is still the one that began then: the id may have been given to another. */
export function isRunning(pid: number, start: string): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemCode(error) === 'ESRCH') return false
  }
  const now = processStart(pid)
  return start === '' || now === '' || now === start
}
