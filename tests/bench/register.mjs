import { register } from 'node:module'

register('./plain.mjs', import.meta.url)
