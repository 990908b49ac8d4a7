import type { KafkaClient } from './kafka-client.ts'

/**
 * Takes the members that a client's consumers have in a group out of it, whatever they are at. A consumer cannot do so itself where it matters:
 * while it waits to be let in its connection answers nothing else, and of what it was before a crash it knows nothing. A member that
 * nobody takes out holds the group for a session each time that it forms. Rejects with what the client says.
 */
export async function removeMembers(kafka: KafkaClient, groupId: string): Promise<void> {
  const cluster = kafka.cluster()
  try {
    await cluster.connect()
    const coordinator = await cluster.findCoordinator(groupId)
    const { groups } = await coordinator.describeGroups({ groupIds: [groupId] })
    for (const { clientId, memberId } of groups[0]?.members ?? []) {
      if (clientId === kafka.consumerName) await coordinator.leaveGroup({ groupId, memberId })
    }
  } finally {
    await cluster.close()
  }
}
