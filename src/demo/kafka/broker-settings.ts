export interface BrokerNode {
  readonly id: number
  readonly port: number
  readonly controllerPort: number
}

/** `server.properties` of a broker for tests: combined roles, plain text, three copies where there are three nodes. */
export function brokerSettings(node: BrokerNode, all: readonly BrokerNode[], data: string): Readonly<Record<string, string | number>> {
  const copies = Math.min(3, all.length)
  const inSync = Math.max(1, copies - 1)
  return {
    'process.roles': 'broker,controller',
    'node.id': node.id,
    'controller.quorum.voters': all.map(({ id, controllerPort }) => `${id}@127.0.0.1:${controllerPort}`).join(','),
    listeners: `PLAINTEXT://127.0.0.1:${node.port},CONTROLLER://127.0.0.1:${node.controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${node.port}`,
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'PLAINTEXT',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': data,
    'auto.create.topics.enable': 'false',
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'offsets.topic.replication.factor': copies,
    'offsets.topic.num.partitions': 1,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'transaction.state.log.num.partitions': 1,
    // By default every first join of a group waits three seconds.
    'group.initial.rebalance.delay.ms': 0,
    // Tests of eviction want to wait less than the six seconds of the default.
    'group.min.session.timeout.ms': 1000,
    'broker.session.timeout.ms': 3000,
    'broker.heartbeat.interval.ms': 500,
    'num.network.threads': 2,
    'num.io.threads': 2,
    // The default of 128 MiB does not fit a small heap.
    'log.cleaner.dedupe.buffer.size': 4_194_304,
  }
}
