/** Where the company works: operating units, their territories, and cities with their districts. */
export interface UnitSeed {
  readonly code: string
  readonly name: string
  readonly kind: 'HO' | 'BRANCH'
  readonly address: string
  readonly nitku: string
  /** Share of the trade. */
  readonly weight: number
  readonly territories: readonly TerritorySeed[]
}

export interface TerritorySeed {
  readonly code: string
  readonly name: string
  readonly city: string
  readonly postal: string
  readonly areas: readonly string[]
}

export const units: readonly UnitSeed[] = [
  {
    code: 'JKT', name: 'Jakarta', kind: 'HO', address: 'Jl. Pluit Raya No. 88, Penjaringan, Jakarta Utara 14440', nitku: '000000', weight: 5,
    territories: [
      { code: 'JKT-U', name: 'Jakarta Utara dan Pusat', city: 'Jakarta', postal: '14', areas: ['Penjaringan', 'Kelapa Gading', 'Senen'] },
      { code: 'JKT-S', name: 'Jakarta Selatan', city: 'Jakarta', postal: '12', areas: ['Tebet', 'Kebayoran Baru', 'Pasar Minggu'] },
      { code: 'JKT-B', name: 'Jakarta Barat dan Tangerang', city: 'Tangerang', postal: '15', areas: ['Kalideres', 'Cipondoh', 'Karawaci'] },
      { code: 'JKT-T', name: 'Jakarta Timur dan Bekasi', city: 'Bekasi', postal: '17', areas: ['Jatinegara', 'Bekasi Barat', 'Rawalumbu'] },
      { code: 'BGR', name: 'Bogor dan Depok', city: 'Bogor', postal: '16', areas: ['Bogor Tengah', 'Cibinong', 'Beji'] },
    ],
  },
  {
    code: 'BDG', name: 'Bandung', kind: 'BRANCH', address: 'Jl. Soekarno Hatta No. 512, Buahbatu, Bandung 40286', nitku: '000001', weight: 3,
    territories: [
      { code: 'BDG-K', name: 'Bandung Kota', city: 'Bandung', postal: '40', areas: ['Coblong', 'Lengkong', 'Antapani'] },
      { code: 'BDG-B', name: 'Cimahi dan Bandung Barat', city: 'Cimahi', postal: '40', areas: ['Cimahi Tengah', 'Padalarang', 'Lembang'] },
      { code: 'PRT', name: 'Priangan Timur', city: 'Tasikmalaya', postal: '46', areas: ['Tawang', 'Garut Kota', 'Ciamis'] },
    ],
  },
  {
    code: 'SBY', name: 'Surabaya', kind: 'BRANCH', address: 'Jl. Rungkut Industri II No. 17, Surabaya 60293', nitku: '000002', weight: 4,
    territories: [
      { code: 'SBY-K', name: 'Surabaya', city: 'Surabaya', postal: '60', areas: ['Genteng', 'Rungkut', 'Tambaksari'] },
      { code: 'SDA', name: 'Sidoarjo dan Gresik', city: 'Sidoarjo', postal: '61', areas: ['Waru', 'Gedangan', 'Kebomas'] },
      { code: 'MLG', name: 'Malang Raya', city: 'Malang', postal: '65', areas: ['Klojen', 'Lowokwaru', 'Batu'] },
      { code: 'KDR', name: 'Kediri dan Madiun', city: 'Kediri', postal: '64', areas: ['Mojoroto', 'Taman', 'Pare'] },
    ],
  },
]

export const streets = [
  'Jl. Merdeka', 'Jl. Diponegoro', 'Jl. Sudirman', 'Jl. Ahmad Yani', 'Jl. Gatot Subroto', 'Jl. Pahlawan', 'Jl. Raya Pasar', 'Jl. Kartini', 'Jl. Veteran', 'Jl. Pemuda',
  'Jl. Imam Bonjol', 'Jl. Hasanuddin', 'Jl. Teuku Umar', 'Jl. Cendana', 'Jl. Melati', 'Jl. Kenanga', 'Jl. Anggrek', 'Jl. Pasar Baru', 'Jl. Stasiun', 'Jl. Industri',
] as const

export const givenNames = [
  'Agus', 'Ahmad', 'Andi', 'Anita', 'Arif', 'Asep', 'Ayu', 'Bambang', 'Budi', 'Cahya', 'Dedi', 'Dewi', 'Dian', 'Eko', 'Endang', 'Fajar', 'Fitri', 'Galih', 'Hadi', 'Hendra',
  'Indra', 'Intan', 'Joko', 'Kartika', 'Lestari', 'Lukman', 'Maya', 'Nanang', 'Novi', 'Putri', 'Rahmat', 'Ratna', 'Rini', 'Rizki', 'Rudi', 'Sari', 'Slamet', 'Sri', 'Tono', 'Yanti',
] as const

export const familyNames = [
  'Susanto', 'Wijaya', 'Santoso', 'Hidayat', 'Kurniawan', 'Setiawan', 'Gunawan', 'Nugroho', 'Pratama', 'Saputra', 'Wibowo', 'Halim', 'Hartono', 'Lubis', 'Siregar', 'Maulana',
  'Permana', 'Suryadi', 'Utomo', 'Yulianto', 'Rahayu', 'Wahyuni', 'Simanjuntak', 'Tanoto', 'Salim',
] as const

/** Second words of shop names: Toko Makmur, UD Sinar Jaya. */
export const shopWords = [
  'Makmur', 'Sinar Jaya', 'Berkah', 'Sumber Rejeki', 'Maju Bersama', 'Barokah', 'Subur', 'Sejahtera', 'Murah Jaya', 'Rahmat', 'Aneka', 'Cahaya', 'Sentosa', 'Lancar', 'Mitra',
  'Harapan', 'Setia Kawan', 'Abadi', 'Mekar', 'Sinar Terang', 'Bintang', 'Mulia', 'Karya', 'Tiga Saudara', 'Bahagia', 'Amanah', 'Jaya Abadi', 'Sri Rejeki', 'Laris', 'Sari',
  'Mandiri', 'Pelangi', 'Nusantara', 'Gemilang', 'Utama', 'Sahabat', 'Anugerah', 'Rejo', 'Melati', 'Kurnia',
] as const
