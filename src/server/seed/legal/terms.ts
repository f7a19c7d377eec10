import type { LegalLanguage } from '#api/account.ts'

interface Text {
  readonly title: string
  readonly body: string
}

const en = `These terms apply to everybody who signs in to Arus, the order-to-cash and finance system of the company. By agreeing you confirm that you have read them and will keep to them.

## 1. Your account
- Your account is yours alone. You do not lend it, and you do not use the account of somebody else.
- Your password has at least eight characters with a letter and a digit, is used nowhere else, and is changed at least every 182 days.
- You sign out, or lock the computer, when you leave your place. You end sessions in your profile that are not yours and report them.

## 2. What the system is for
- You use it for the work the company has given you, within the permissions of your role, and for nothing else.
- What you enter is true and complete. Documents that were posted are never altered; mistakes are undone by a reversal.
- Nobody approves what he has submitted himself, and nobody tries to get around a limit, a block or an approval.

## 3. Confidentiality
- Prices, customers, balances and reports are confidential. You pass them on only to those who need them for their work.
- What you export or print remains confidential. You keep it where others cannot reach it and destroy it when it is no longer needed.

## 4. Information security
The company protects the system according to the international standard for information security management, ISO/IEC 27001. This means for you:
- You report a suspected loss of data, a phishing mail or an unusual sign-in at once to the information security officer.
- You connect only devices that the company has approved and keep them up to date.
- You do not test, probe or circumvent protective measures unless you have been asked to in writing.

## 5. What is recorded
Signing in, changes to records, approvals, exports and prints are recorded with your name, the time and the address they came from. The records serve security, the audit and the settlement of questions, and are kept as long as the law demands.

## 6. Breaches
Whoever breaks these terms can lose access at once. Measures under labour law and claims for damages remain reserved.

## 7. Changes
When these terms change, you are asked to agree to the new version the next time you use the system. The version you agreed to last is shown in your profile.`

const cn = `本条款适用于登录 Arus(公司的订单到收款及财务系统)的每一位用户。您同意即表示您已阅读并将遵守本条款。

## 1. 您的账户
- 账户仅供您本人使用。不得将其借给他人,也不得使用他人的账户。
- 密码至少八个字符,包含字母和数字,不得在其他地方使用,并且至少每 182 天更换一次。
- 离开座位时请退出登录或锁定电脑。请在个人资料中结束不属于您的会话并予以报告。

## 2. 系统用途
- 您仅在角色权限范围内,为公司交付的工作使用本系统。
- 您录入的内容真实、完整。已过账的单据不得更改;错误通过冲销纠正。
- 任何人不得审批自己提交的单据,也不得试图绕过限额、冻结或审批。

## 3. 保密
- 价格、客户、余额和报表均属机密,仅可提供给工作需要的人员。
- 您导出或打印的内容仍属机密。请妥善保管,不再需要时予以销毁。

## 4. 信息安全
公司依照国际信息安全管理标准 ISO/IEC 27001 保护本系统。对您而言,这意味着:
- 如怀疑数据丢失、收到钓鱼邮件或发现异常登录,请立即报告信息安全负责人。
- 仅连接公司批准的设备,并保持其更新。
- 未经书面要求,不得测试、探测或规避保护措施。

## 5. 记录内容
登录、记录变更、审批、导出和打印都会连同您的姓名、时间和来源地址一并记录。这些记录用于安全、审计和解决疑问,并按法律要求的期限保存。

## 6. 违规
违反本条款者可能立即失去访问权限。公司保留依劳动法采取措施及要求赔偿的权利。

## 7. 变更
条款变更后,您下次使用系统时将被要求同意新版本。您最近同意的版本显示在您的个人资料中。`

const id = `Ketentuan ini berlaku bagi setiap orang yang masuk ke Arus, sistem order-to-cash dan keuangan perusahaan. Dengan menyetujuinya Anda menyatakan telah membaca dan akan mematuhinya.

## 1. Akun Anda
- Akun hanya untuk Anda sendiri. Jangan meminjamkannya dan jangan memakai akun orang lain.
- Kata sandi minimal delapan karakter dengan huruf dan angka, tidak dipakai di tempat lain, dan diganti paling lambat setiap 182 hari.
- Keluarlah atau kunci komputer saat meninggalkan tempat. Akhiri sesi yang bukan milik Anda di profil dan laporkan.

## 2. Kegunaan sistem
- Anda memakainya untuk pekerjaan yang diberikan perusahaan, dalam batas izin peran Anda, dan tidak untuk hal lain.
- Apa yang Anda masukkan benar dan lengkap. Dokumen yang sudah diposting tidak pernah diubah; kesalahan dibatalkan dengan pembalikan.
- Tidak seorang pun menyetujui apa yang ia ajukan sendiri atau mencoba melewati batas, blokir, atau persetujuan.

## 3. Kerahasiaan
- Harga, pelanggan, saldo, dan laporan bersifat rahasia. Sampaikan hanya kepada yang memerlukannya untuk bekerja.
- Apa yang Anda ekspor atau cetak tetap rahasia. Simpan di tempat yang tidak terjangkau orang lain dan musnahkan bila tidak diperlukan lagi.

## 4. Keamanan informasi
Perusahaan melindungi sistem ini menurut standar internasional manajemen keamanan informasi, ISO/IEC 27001. Bagi Anda ini berarti:
- Laporkan segera dugaan kehilangan data, surel phishing, atau proses masuk yang tidak biasa kepada petugas keamanan informasi.
- Hubungkan hanya perangkat yang disetujui perusahaan dan jaga agar tetap mutakhir.
- Jangan menguji, menyelidiki, atau melewati perlindungan kecuali diminta secara tertulis.

## 5. Apa yang dicatat
Proses masuk, perubahan data, persetujuan, ekspor, dan cetak dicatat dengan nama Anda, waktu, dan alamat asalnya. Catatan ini untuk keamanan, audit, dan penyelesaian pertanyaan, dan disimpan selama diwajibkan undang-undang.

## 6. Pelanggaran
Siapa yang melanggar ketentuan ini dapat kehilangan akses seketika. Tindakan menurut hukum ketenagakerjaan dan tuntutan ganti rugi tetap dimungkinkan.

## 7. Perubahan
Bila ketentuan ini berubah, Anda diminta menyetujui versi baru saat berikutnya memakai sistem. Versi yang terakhir Anda setujui terlihat di profil Anda.`

export const terms: Readonly<Record<LegalLanguage, Text>> = {
  en: { title: 'Terms of service', body: en },
  cn: { title: '服务条款', body: cn },
  id: { title: 'Ketentuan layanan', body: id },
}
