import { runEndings } from './atEnd.ts'

runEndings()
