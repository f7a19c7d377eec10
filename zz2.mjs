const base = 'http://127.0.0.1:4361'
const f = new FormData(); f.set('email','admin@arus.example'); f.set('password','Arus-demo-1'); f.set('user_agent','x')
const { data } = await (await fetch(base+'/api/v1/login',{method:'POST',body:f})).json()
const H={authorization:`Bearer ${data.token}`}
const hb=(await (await fetch(base+'/api/v1/data/house-bank?length=1&columns=account_no,currency&filter='+encodeURIComponent(JSON.stringify({currency:'IDR'})),{headers:H})).json()).data.rows[0]
for (const n of [100, 10000]) {
const rows = Array.from({ length: n }, (_, i) => `'${String(1 + (i % 19)).padStart(2, '0')}/11,SETORAN ${i},0000,"1,000,000.00",CR,""`).sort()
const file = `No. rekening : ${hb.AccountNo}\nPeriode : 01/11/2026 - 30/11/2026\nKode Mata Uang : Rp\nTanggal Transaksi,Keterangan,Cabang,Jumlah,,Saldo\n${rows.join('\n')}\nSaldo Awal : 0.00\nSaldo Akhir : ${(n*1e6).toLocaleString('en-US',{minimumFractionDigits:2})}\n`
const t=Date.now()
const form=new FormData(); form.set('file', new Blob([file],{type:'text/csv'}),'mutasi.csv')
const r=await fetch(base+'/api/v1/form/bank-statement.form/file',{method:'POST',headers:H,body:form})
const a=await r.json(); console.log(n, r.status, a.message, a.data?.parts?.[0]?.lines?.length, Date.now()-t)
if (!a.data?.parts) continue
const p=a.data.parts[0]; const t2=Date.now()
const m=await fetch(base+'/api/v1/command/match-statement',{method:'POST',headers:{...H,'content-type':'application/json'},body:JSON.stringify({...p.values,StatementNo:'B',Lines:p.lines})})
const mj=await m.json(); console.log('match', m.status, mj.message, Object.keys(mj.data??{}), JSON.stringify(mj).length, Date.now()-t2)
}
