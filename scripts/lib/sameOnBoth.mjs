/** Server tests that open no database or always the embedded one: the round on PostgreSQL would only repeat them. */
export const sameOnBoth = [
  'server/backups.test.ts',
  'server/conditionAgreement.test.ts',
  'server/durability.test.ts',
  'server/embedded.test.ts',
  'server/fileStores.test.ts',
  'server/frontendMessages.test.ts',
  'server/tableFiles.test.ts',
  'server/import/hostileFiles.test.ts',
  'server/import/restart.test.ts',
  'server/import/textPool.test.ts',
  'server/named.test.ts',
]
