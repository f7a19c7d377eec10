/** Middle of each district the company works in: latitude and longitude. */
const middles: Readonly<Record<string, readonly [latitude: number, longitude: number]>> = {
  Penjaringan: [-6.1262, 106.7836], 'Kelapa Gading': [-6.1605, 106.9054], Senen: [-6.1826, 106.8456], Tebet: [-6.2301, 106.8476], 'Kebayoran Baru': [-6.2436, 106.7991], 'Pasar Minggu': [-6.2899, 106.8297],
  Kalideres: [-6.1424, 106.7061], Cipondoh: [-6.1898, 106.6837], Karawaci: [-6.1862, 106.6151], Jatinegara: [-6.2311, 106.8823], 'Bekasi Barat': [-6.2378, 106.9716], Rawalumbu: [-6.2758, 107.0036],
  'Bogor Tengah': [-6.5944, 106.7955], Cibinong: [-6.4817, 106.8542], Beji: [-6.3758, 106.8174], Coblong: [-6.8846, 107.6136], Lengkong: [-6.9311, 107.6236], Antapani: [-6.9148, 107.6602],
  'Cimahi Tengah': [-6.8796, 107.5397], Padalarang: [-6.8424, 107.4769], Lembang: [-6.8117, 107.6175], Tawang: [-7.3277, 108.2246], 'Garut Kota': [-7.2145, 107.9042], Ciamis: [-7.3266, 108.3531],
  Genteng: [-7.2596, 112.7462], Rungkut: [-7.3266, 112.7717], Tambaksari: [-7.2496, 112.7681], Waru: [-7.3561, 112.7281], Gedangan: [-7.3903, 112.7255], Kebomas: [-7.1689, 112.6367],
  Klojen: [-7.9666, 112.6326], Lowokwaru: [-7.9345, 112.6123], Batu: [-7.8712, 112.5267], Mojoroto: [-7.8137, 111.9912], Taman: [-7.6386, 111.5286], Pare: [-7.7678, 112.1869],
}

/** Where the shop of a code stands: within some two kilometres of the middle of its district, always at the same place. */
export function positionOf(code: string, district: string): { readonly latitude: string | null; readonly longitude: string | null } {
  const middle = middles[district]
  if (middle === undefined) return { latitude: null, longitude: null }
  const number = Number(code.replace(/\D/g, ''))
  const [up, across] = [((number * 7919) % 401) - 200, ((number * 104_729) % 401) - 200]
  return { latitude: (middle[0] + up / 12_500).toFixed(6), longitude: (middle[1] + across / 12_500).toFixed(6) }
}
