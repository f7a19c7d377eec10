/** What the company sells: per brand a category, and per product its variants, pieces a carton, list price and cost of a piece in rupiah. */
export interface BrandSeed {
  readonly code: string
  readonly name: string
  readonly principal: string
  readonly category: string
  readonly products: readonly ProductSeed[]
}

export type ProductSeed = readonly [name: string, variants: readonly string[], carton: number, price: number, grams: number, abc: 'A' | 'B' | 'C']

export const principals: readonly (readonly [code: string, name: string])[] = [
  ['V000001', 'PT Boga Sari Rasa'],
  ['V000002', 'PT Tirta Kemasan Makmur'],
  ['V000003', 'PT Bersih Cemerlang Indonesia'],
  ['V000004', 'PT Kopi Tanah Tinggi'],
  ['V000005', 'PT Susu Padang Hijau'],
]

export const itemCategories: readonly (readonly [code: string, name: string])[] = [
  ['MIE', 'Mi instan'], ['KOPI', 'Kopi dan teh'], ['MINUM', 'Minuman'], ['SUSU', 'Susu dan olahan'], ['BISKUIT', 'Biskuit dan camilan'], ['BUMBU', 'Bumbu dan saus'],
  ['MINYAK', 'Minyak goreng'], ['RUMAH', 'Perawatan rumah'], ['DIRI', 'Perawatan diri'], ['BAYI', 'Perlengkapan bayi'],
]

export const brands: readonly BrandSeed[] = [
  {
    code: 'LEZATO', name: 'Lezato', principal: 'V000001', category: 'MIE',
    products: [
      ['Mi Goreng', ['Original', 'Ayam Geprek', 'Rendang', 'Sambal Matah', 'Cabe Ijo'], 40, 2750, 85, 'A'],
      ['Mi Kuah', ['Ayam Bawang', 'Kari Ayam', 'Soto Lamongan', 'Baso Sapi'], 40, 2600, 75, 'A'],
      ['Mi Cup', ['Ayam Pedas', 'Kari', 'Tom Yam'], 24, 5200, 70, 'B'],
      ['Bihun Goreng', ['Spesial', 'Pedas'], 40, 2900, 65, 'C'],
    ],
  },
  {
    code: 'NUSARASA', name: 'Nusa Rasa', principal: 'V000001', category: 'BUMBU',
    products: [
      ['Kecap Manis', ['135 ml', '275 ml', '520 ml', '700 ml'], 24, 9800, 300, 'A'],
      ['Saus Sambal', ['Extra Pedas 135 ml', 'Asli 275 ml', 'Asli 340 ml'], 24, 8900, 280, 'A'],
      ['Saus Tomat', ['135 ml', '275 ml'], 24, 7600, 270, 'B'],
      ['Bumbu Instan', ['Rendang', 'Opor', 'Nasi Goreng', 'Rawon', 'Soto Ayam'], 120, 4200, 45, 'B'],
      ['Penyedap', ['Ayam 9 g', 'Sapi 9 g', 'Jamur 80 g'], 144, 900, 9, 'A'],
    ],
  },
  {
    code: 'WANGI', name: 'Wangi Gunung', principal: 'V000004', category: 'KOPI',
    products: [
      ['Kopi Bubuk', ['65 g', '165 g', '380 g'], 60, 7400, 165, 'A'],
      ['Kopi Susu Sachet', ['Original', 'Gula Aren', 'Mocha', 'Less Sugar'], 120, 1750, 25, 'A'],
      ['Kopi Hitam Sachet', ['Tubruk', 'Jahe'], 120, 1250, 20, 'B'],
      ['Teh Celup', ['Melati 25', 'Hitam 25', 'Hijau 25'], 48, 6900, 50, 'A'],
      ['Teh Tubruk', ['Melati 40 g', 'Vanila 40 g'], 100, 3300, 40, 'C'],
    ],
  },
  {
    code: 'SEGARA', name: 'Segara', principal: 'V000002', category: 'MINUM',
    products: [
      ['Air Mineral', ['330 ml', '600 ml', '1500 ml'], 24, 3100, 600, 'A'],
      ['Teh Botol', ['Melati 350 ml', 'Lemon 350 ml', 'Tawar 350 ml'], 24, 4100, 350, 'A'],
      ['Sari Buah', ['Jambu 250 ml', 'Mangga 250 ml', 'Sirsak 250 ml', 'Apel 250 ml'], 24, 5600, 260, 'B'],
      ['Isotonik', ['500 ml', '350 ml'], 24, 6200, 500, 'B'],
      ['Sirup', ['Cocopandan', 'Melon', 'Leci'], 12, 19500, 650, 'C'],
    ],
  },
  {
    code: 'PADANG', name: 'Padang Hijau', principal: 'V000005', category: 'SUSU',
    products: [
      ['Susu UHT', ['Cokelat 125 ml', 'Stroberi 125 ml', 'Putih 250 ml', 'Cokelat 250 ml', 'Putih 1 l'], 40, 4300, 250, 'A'],
      ['Kental Manis', ['Putih Sachet', 'Cokelat Sachet', 'Putih Kaleng', 'Cokelat Kaleng'], 48, 11200, 370, 'A'],
      ['Susu Bubuk', ['Full Cream 200 g', 'Full Cream 400 g', 'Instan 800 g'], 24, 34500, 400, 'B'],
      ['Yogurt Minum', ['Stroberi', 'Bluberi'], 24, 7900, 200, 'C'],
      ['Keju Oles', ['Original', 'Cokelat'], 24, 16800, 170, 'C'],
    ],
  },
  {
    code: 'KRIUKO', name: 'Kriuko', principal: 'V000001', category: 'BISKUIT',
    products: [
      ['Biskuit Kelapa', ['150 g', '300 g'], 30, 8300, 150, 'A'],
      ['Wafer', ['Cokelat', 'Vanila', 'Keju', 'Tiramisu'], 60, 2300, 22, 'A'],
      ['Keripik Singkong', ['Balado', 'Original', 'Jagung Bakar'], 30, 9700, 160, 'B'],
      ['Kerupuk Udang', ['Mentah 250 g', 'Goreng 70 g'], 40, 12900, 250, 'C'],
      ['Malkist', ['Crackers', 'Abon', 'Cokelat'], 36, 7200, 120, 'B'],
    ],
  },
  {
    code: 'SAWITA', name: 'Sawita', principal: 'V000001', category: 'MINYAK',
    products: [
      ['Minyak Goreng Refill', ['450 ml', '900 ml', '1 l', '2 l'], 12, 18400, 1000, 'A'],
      ['Minyak Goreng Botol', ['1 l', '2 l'], 12, 20900, 1000, 'B'],
      ['Margarin', ['Sachet 200 g', 'Kaleng 1 kg'], 60, 7300, 200, 'B'],
    ],
  },
  {
    code: 'KINCLONG', name: 'Kinclong', principal: 'V000003', category: 'RUMAH',
    products: [
      ['Detergen Bubuk', ['Sakura 280 g', 'Lemon 700 g', 'Sakura 1,4 kg'], 24, 13800, 700, 'A'],
      ['Detergen Cair', ['Sachet 50 ml', 'Refill 700 ml'], 24, 16900, 700, 'B'],
      ['Sabun Cuci Piring', ['Jeruk Nipis 210 ml', 'Jeruk Nipis 455 ml', 'Jeruk Nipis 755 ml'], 24, 8400, 455, 'A'],
      ['Pembersih Lantai', ['Pinus 780 ml', 'Lavender 780 ml'], 12, 13200, 780, 'B'],
      ['Pelembut Pakaian', ['Biru 720 ml', 'Pink 720 ml', 'Sachet 20 ml'], 24, 11500, 720, 'B'],
    ],
  },
  {
    code: 'AYUNA', name: 'Ayuna', principal: 'V000003', category: 'DIRI',
    products: [
      ['Sabun Mandi', ['Mawar 75 g', 'Susu 75 g', 'Herbal 75 g', 'Sirih 75 g'], 72, 3600, 75, 'A'],
      ['Sampo', ['Sachet 10 ml', 'Hitam 170 ml', 'Anti Ketombe 170 ml'], 48, 15200, 170, 'A'],
      ['Pasta Gigi', ['75 g', '120 g', '190 g', 'Herbal 120 g'], 72, 7700, 120, 'A'],
      ['Sabun Cair', ['Refill 400 ml', 'Botol 250 ml'], 24, 18900, 400, 'C'],
      ['Deodoran', ['Pria 45 ml', 'Wanita 45 ml'], 36, 14600, 45, 'C'],
    ],
  },
  {
    code: 'BUNDA', name: 'Bunda Sayang', principal: 'V000003', category: 'BAYI',
    products: [
      ['Popok Celana', ['S 20', 'M 18', 'L 16', 'XL 14'], 12, 41500, 600, 'B'],
      ['Tisu Basah', ['50 lembar', '80 lembar'], 24, 12400, 250, 'C'],
      ['Bedak Bayi', ['100 g', '200 g'], 48, 9900, 150, 'C'],
      ['Minyak Telon', ['60 ml', '100 ml'], 48, 21800, 80, 'C'],
    ],
  },
]
