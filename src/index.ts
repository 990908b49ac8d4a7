export { configSchema } from './config/config.ts'
