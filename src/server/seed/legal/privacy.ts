import type { LegalLanguage } from '#api/account.ts'

interface Text {
  readonly title: string
  readonly body: string
}

const en = `This policy says which personal data Arus holds about the people who use it and about the contact persons of customers and suppliers, what for, and for how long. The company is responsible; it follows Indonesian Law No. 27 of 2022 on personal data protection.

## What is held
- About users: name, e-mail address, phone number, work number, role, picture, language and appearance chosen, and the time the password was last changed. Passwords themselves are never held, only a value computed from them.
- About sessions: browser, network address, time of signing in and of the last use.
- About what was done: who created, changed, approved, exported or printed which record, and when.
- About contact persons of customers and suppliers: name, address, phone number, tax number and bank account, as far as the business with them needs it.

## What for
To run the business with customers and suppliers, to keep books as the law demands, to protect the system and to find out what happened when something went wrong. Data is not sold, and not used for advertising.

## Who sees it
Colleagues as far as their role permits, auditors, and authorities where the law demands it. No data is passed on to others without a contract that protects it alike.

## For how long
- Sessions: 30 days after they ended. Sent mail: 30 days, without its content.
- Business documents and the record of changes: ten years, as tax law demands.
- Accounts: as long as somebody works here; afterwards they are closed, and the name remains on the documents.

## In your browser
Arus sets cookies that it cannot work without: the session, its number and the name of the server that answered; each for seven days. Drafts, the language and the appearance are stored in the browser itself. Nothing is loaded from other sites, and nobody measures what you do.

## Your rights
You can see and correct your own data in your profile, end your sessions there, and ask the data protection officer of the company for information, correction or deletion.`

const cn = `本政策说明 Arus 保存了哪些有关用户以及客户、供应商联系人的个人数据、用途及期限。公司为责任方,遵守印度尼西亚 2022 年第 27 号个人数据保护法。

## 保存的内容
- 用户:姓名、电子邮箱、电话、工号、角色、头像、所选语言和外观,以及最近一次更改密码的时间。系统从不保存密码本身,仅保存由其计算出的值。
- 会话:浏览器、网络地址、登录时间和最近使用时间。
- 操作:谁在何时创建、更改、审批、导出或打印了哪条记录。
- 客户和供应商联系人:姓名、地址、电话、税号和银行账户,以业务需要为限。

## 用途
与客户和供应商开展业务、依法记账、保护系统,以及在出现问题时查明原因。数据不会出售,也不用于广告。

## 谁可以看到
同事(以其角色权限为限)、审计人员,以及法律要求时的主管机关。没有同等保护的合同,数据不会提供给他人。

## 保存期限
- 会话:结束后 30 天。已发送的邮件:30 天,不含内容。
- 业务单据和变更记录:十年,依税法要求。
- 账户:在职期间;之后关闭,姓名保留在单据上。

## 在您的浏览器中
Arus 只设置运行所必需的 Cookie:会话、会话编号和应答服务器的名称;各保存七天。草稿、语言和外观保存在浏览器中。系统不从其他网站加载任何内容,也不统计您的行为。

## 您的权利
您可以在个人资料中查看和更正自己的数据、结束会话,并向公司的数据保护负责人要求提供信息、更正或删除。`

const id = `Kebijakan ini menjelaskan data pribadi apa yang disimpan Arus tentang penggunanya dan tentang narahubung pelanggan dan pemasok, untuk apa, dan berapa lama. Perusahaan bertanggung jawab dan mengikuti Undang-Undang Nomor 27 Tahun 2022 tentang Pelindungan Data Pribadi.

## Apa yang disimpan
- Tentang pengguna: nama, alamat surel, nomor telepon, nomor induk, peran, foto, bahasa dan tampilan yang dipilih, serta waktu kata sandi terakhir diganti. Kata sandi sendiri tidak pernah disimpan, hanya nilai yang dihitung darinya.
- Tentang sesi: peramban, alamat jaringan, waktu masuk, dan waktu terakhir dipakai.
- Tentang yang dilakukan: siapa membuat, mengubah, menyetujui, mengekspor, atau mencetak data mana, dan kapan.
- Tentang narahubung pelanggan dan pemasok: nama, alamat, telepon, NPWP, dan rekening bank, sejauh diperlukan usaha.

## Untuk apa
Menjalankan usaha dengan pelanggan dan pemasok, menyelenggarakan pembukuan sesuai hukum, melindungi sistem, dan mencari tahu apa yang terjadi bila ada kesalahan. Data tidak dijual dan tidak dipakai untuk iklan.

## Siapa yang melihat
Rekan kerja sejauh perannya mengizinkan, auditor, dan instansi bila diwajibkan hukum. Data tidak diberikan kepada pihak lain tanpa perjanjian yang melindunginya secara setara.

## Berapa lama
- Sesi: 30 hari setelah berakhir. Surel terkirim: 30 hari, tanpa isinya.
- Dokumen usaha dan catatan perubahan: sepuluh tahun, sesuai hukum pajak.
- Akun: selama seseorang bekerja di sini; setelah itu ditutup, dan namanya tetap pada dokumen.

## Di peramban Anda
Arus hanya memasang kuki yang diperlukan untuk bekerja: sesi, nomornya, dan nama server yang menjawab; masing-masing tujuh hari. Draf, bahasa, dan tampilan disimpan di peramban. Tidak ada yang dimuat dari situs lain, dan tidak ada yang mengukur kegiatan Anda.

## Hak Anda
Anda dapat melihat dan memperbaiki data sendiri di profil, mengakhiri sesi di sana, dan meminta keterangan, perbaikan, atau penghapusan kepada petugas pelindungan data perusahaan.`

export const privacy: Readonly<Record<LegalLanguage, Text>> = {
  en: { title: 'Privacy policy', body: en },
  cn: { title: '隐私政策', body: cn },
  id: { title: 'Kebijakan privasi', body: id },
}
