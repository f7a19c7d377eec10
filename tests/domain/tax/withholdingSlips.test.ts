import { expect, test } from 'vitest'
import { withholdingFile } from '#domain/tax/withholdingSlips.ts'

test('a slip of 2 % of 24,000,000: elements in the order of the tax office, the place of the vendor from his number, characters of XML escaped', () => {
  const slip = { period: '202611', tin: '0123456789012345', place: null, taxObject: '24-104-03', base: '24000000.40', rate: '2.0000', documentNo: 'INV/<1> & 2', documentDate: '2026-11-05', withheldOn: '2026-11-20' }
  expect(withholdingFile('0999999999999999', '0999999999999999000001', [slip])).toBe(
    '<?xml version="1.0" encoding="utf-8"?>\n<BpuBulk xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="Bpu.xsd">\n<TIN>0999999999999999</TIN>\n<ListOfBpu>\n' +
      '<Bpu><TaxPeriodMonth>11</TaxPeriodMonth><TaxPeriodYear>2026</TaxPeriodYear><CounterpartTin>0123456789012345</CounterpartTin>' +
      '<IDPlaceOfBusinessActivityOfIncomeRecipient>0123456789012345000000</IDPlaceOfBusinessActivityOfIncomeRecipient><TaxCertificate>N/A</TaxCertificate><TaxObjectCode>24-104-03</TaxObjectCode><TaxBase>24000000</TaxBase><Rate>2</Rate>' +
      '<Document>CommercialInvoice</Document><DocumentNumber>INV/&lt;1&gt; &amp; 2</DocumentNumber><DocumentDate>2026-11-05</DocumentDate><IDPlaceOfBusinessActivity>0999999999999999000001</IDPlaceOfBusinessActivity>' +
      '<GovTreasurerOpt>N/A</GovTreasurerOpt><SP2DNumber xsi:nil="true"/><WithholdingDate>2026-11-20</WithholdingDate></Bpu>\n</ListOfBpu>\n</BpuBulk>\n',
  )
})
