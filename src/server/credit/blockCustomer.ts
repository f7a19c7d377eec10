import type { Effect } from '#server/context.ts'

/** No order goes out to a blocked customer; what is open stays open. */
export const blockCustomer: Effect = async (context) => {
  context.set({ block_reason_id: context.input['reason_id'] ?? null })
}

export const unblockCustomer: Effect = async (context) => {
  context.set({ block_reason_id: null })
}
