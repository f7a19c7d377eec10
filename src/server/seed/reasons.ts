/** One reason: why something is left open, refused, cancelled or undone, and what then happens. */
export interface ReasonSeed {
  readonly code: string
  readonly name: string
  readonly usage: 'OUTSTANDING' | 'RETURN' | 'CANCEL' | 'REJECT' | 'WRITE_OFF' | 'ADJUSTMENT' | 'POD' | 'VISIT' | 'REVERSAL'
  readonly action?: 'KEEP_OPEN' | 'TEMP_CN' | 'PAYMENT_DIFF' | 'WITHHOLDING' | 'WRITE_OFF'
  readonly account?: string
  readonly tolerance?: string
  readonly needsNote?: boolean
  /** What stays open is disputed. */
  readonly isDispute?: boolean
  /** What comes back for it is delivered again. */
  readonly redelivers?: boolean
}

export const reasons: readonly ReasonSeed[] = [
  { code: 'R01', name: 'Bayar sebagian / cicilan', usage: 'OUTSTANDING', action: 'KEEP_OPEN' },
  { code: 'R02', name: 'Tunda – dana belum cair', usage: 'OUTSTANDING', action: 'KEEP_OPEN' },
  { code: 'R03', name: 'Klaim promo belum terbit CN', usage: 'OUTSTANDING', action: 'TEMP_CN', needsNote: true },
  { code: 'R04', name: 'Retur belum diproses', usage: 'OUTSTANDING', action: 'KEEP_OPEN', needsNote: true, isDispute: true },
  { code: 'R05', name: 'Selisih harga', usage: 'OUTSTANDING', action: 'KEEP_OPEN', needsNote: true, isDispute: true },
  { code: 'R06', name: 'Pembulatan/selisih kecil', usage: 'OUTSTANDING', action: 'PAYMENT_DIFF', account: '613102', tolerance: 'AR_SHORT' },
  { code: 'R07', name: 'PPh 22/23 dipotong', usage: 'OUTSTANDING', action: 'WITHHOLDING', account: '114104' },
  { code: 'R08', name: 'PPN dipungut WAPU', usage: 'OUTSTANDING', action: 'WITHHOLDING', account: '213102' },
  { code: 'R09', name: 'Biaya transfer', usage: 'OUTSTANDING', action: 'PAYMENT_DIFF', account: '613103', tolerance: 'BANK_CHARGE' },
  { code: 'R10', name: 'Piutang tak tertagih', usage: 'OUTSTANDING', action: 'WRITE_OFF', account: '613101', needsNote: true },
  { code: 'C01', name: 'Pelanggan batal pesan', usage: 'CANCEL' },
  { code: 'C02', name: 'Salah input', usage: 'CANCEL' },
  { code: 'C03', name: 'Stok tidak tersedia', usage: 'CANCEL' },
  { code: 'C04', name: 'Pesanan ganda', usage: 'CANCEL' },
  { code: 'C05', name: 'Salah harga atau diskon', usage: 'CANCEL', needsNote: true },
  { code: 'C06', name: 'Kendaraan atau rute tidak tersedia', usage: 'CANCEL' },
  { code: 'J01', name: 'Limit kredit terlampaui', usage: 'REJECT' },
  { code: 'J02', name: 'Piutang jatuh tempo belum dibayar', usage: 'REJECT' },
  { code: 'J03', name: 'Harga di bawah batas', usage: 'REJECT' },
  { code: 'J04', name: 'Data tidak lengkap', usage: 'REJECT', needsNote: true },
  { code: 'J05', name: 'Tidak disetujui', usage: 'REJECT', needsNote: true },
  { code: 'V01', name: 'Salah pelanggan', usage: 'REVERSAL' },
  { code: 'V02', name: 'Salah nominal', usage: 'REVERSAL' },
  { code: 'V03', name: 'Transfer dikembalikan bank', usage: 'REVERSAL' },
  { code: 'V04', name: 'Giro ditolak', usage: 'REVERSAL' },
  { code: 'V05', name: 'Pembayaran tercatat ganda', usage: 'REVERSAL' },
  { code: 'T01', name: 'Barang rusak', usage: 'RETURN' },
  { code: 'T02', name: 'Kedaluwarsa', usage: 'RETURN' },
  { code: 'T03', name: 'Salah kirim', usage: 'RETURN' },
  { code: 'P01', name: 'Toko tutup', usage: 'POD', redelivers: true },
  { code: 'P02', name: 'Jumlah kurang', usage: 'POD' },
  { code: 'P03', name: 'Barang ditolak', usage: 'POD' },
  { code: 'K01', name: 'Stok toko masih cukup', usage: 'VISIT' },
  { code: 'K02', name: 'Pemilik tidak di tempat', usage: 'VISIT' },
  { code: 'K03', name: 'Belum ada dana', usage: 'VISIT' },
  { code: 'K04', name: 'Harga pesaing lebih murah', usage: 'VISIT', needsNote: true },
  { code: 'K05', name: 'Toko tutup sementara', usage: 'VISIT' },
  { code: 'K06', name: 'Toko pindah atau tutup selamanya', usage: 'VISIT', needsNote: true },
  { code: 'W01', name: 'Pelanggan pailit', usage: 'WRITE_OFF', needsNote: true },
  { code: 'W02', name: 'Saldo kecil', usage: 'WRITE_OFF' },
  { code: 'A01', name: 'Selisih hitung fisik', usage: 'ADJUSTMENT' },
  { code: 'A02', name: 'Rusak di gudang', usage: 'ADJUSTMENT' },
  { code: 'A03', name: 'Kedaluwarsa di gudang', usage: 'ADJUSTMENT' },
  { code: 'A04', name: 'Hilang', usage: 'ADJUSTMENT' },
]
