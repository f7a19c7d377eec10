-- Hardly an order calls off a contract, hardly a reservation is for a channel: those that do have an index to themselves.

DROP INDEX "sales_order_contract_id_idx";
CREATE INDEX "sales_order_contract_id_idx" ON "sales_order" ("contract_id") WHERE "contract_id" IS NOT NULL;
DROP INDEX "sales_order_line_contract_line_id_idx";
CREATE INDEX "sales_order_line_contract_line_id_idx" ON "sales_order_line" ("contract_line_id") WHERE "contract_line_id" IS NOT NULL;
DROP INDEX "stock_reservation_channel_id_idx";
CREATE INDEX "stock_reservation_channel_id_idx" ON "stock_reservation" ("channel_id") WHERE "channel_id" IS NOT NULL;
