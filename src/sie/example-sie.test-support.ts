/**
 * A SIE 4E file as a bookkeeping program exports it: every kind of record of the format, objects of two dimensions, struck
 * and added rows, a row whose date is another than its verification's, and a label of a later edition.
 */
export const exampleSie = `#FLAGGA 0
#KSUMMA
#FORMAT PC8
#SIETYP 4
#PROGRAM "Bokföring Åäö" 12.3
#PROSA "Export för hela räkenskapsåret"
#GEN 20260402 "Östen \\"Ö\\" Ek"
#FNR 7
#ORGNR 556016-0680 1
#BKOD 82300
#FTYP AB
#FNAMN "Bageriet Å & Ö AB"
#ADRESS "Ulla Öberg" "Box 21" "123 45 ÅSTORP" "012-34 56 78"
#RAR 0 20260101 20261231
#RAR -1 20250101 20251231
#TAXAR 2027
#OMFATTN 20260331
#KPTYP EUBAS97
#VALUTA SEK
#KONTO 1510 Kundfordringar
#KTYP 1510 T
#KONTO 1930 "Företagskonto"
#SRU 1930 7281
#KONTO 2610 "Utgående moms 25 %"
#KTYP 2610 S
#KONTO 3001 "Försäljning bröd"
#KTYP 3001 I
#ENHET 3001 st
#KONTO 3799 "Lämnade rabatter"
#KONTO 3800 "Aktiverat arbete"
#KONTO 4010 "Inköp mjöl"
#KTYP 4010 K
#DIM 1 "Kostnadsställe"
#DIM 6 Projekt
#UNDERDIM 21 "Del av projekt" 6
#OBJEKT 1 10 "Bageri"
#OBJEKT 6 P1 "Jul 2026"
#IB 0 1930 50000.00
#UB 0 1930 61000.00
#OIB 0 1930 {1 "10"} 50000.00
#OUB 0 1930 {1 "10"} 61000.00
#RES 0 3001 -23400.00 12
#PSALDO 0 202601 3001 {} -12000.00
#PSALDO 0 202601 3001 {1 "10"} -8000.00
#PBUDGET 0 202601 3001 {} -10000.00
#FRAMTID "label of a later edition" {
{
#TRANS in a block that is no verification's
}
#VER A 1 20260115 "Dagskassa, bröd" 20260116 "Ulla Öberg"
{
   #TRANS 1930 {} 10000.00
   #TRANS 3001 {1 "10" 6 "P1"} -7000.00 20260115 "Bröd \\"surdeg\\""
   #TRANS 3001 {"1" "20"} -1000.50
   #TRANS 2610 {} -1999.50 "" "" 0
}
#VER A 2 20260131 Kreditfaktura
{
\t#TRANS\t3001\t{}\t500.25\t20260201\t"Kredit, bokförd i januari"
\t#TRANS\t1510\t{}\t-500.25
}
#VER "" "" 20260228 ""
{
   #BTRANS 3001 {} -99999.00 20260228 "struken" 1 "Ulla"
   #RTRANS 3799 { } 100.00 20260228 "Rabatt" 1 "Ulla"
   #TRANS 3799 { } 100.00 20260228 "Rabatt" 1 "Ulla"
   #TRANS 3001 {} -2100.00
   #TRANS 1510 {} 2000.00
}
#VER B 3 20260302 "Utanför intervallet"
{
   #TRANS 3800 {} -700.00
   #TRANS 2999 {} 700.00
   #TRANS 3000 {} -.50
   #TRANS 1930 {} 0.5
}
#KSUMMA 1234567890
`

/** Credit less debit on the accounts 3000 to 3799, by month. */
export const exampleRevenue = { '2026-01-01': '8000.5', '2026-02-01': '1499.75', '2026-03-01': '0.5' }

const codePage437 = new Map(Object.entries({ å: 0x86, ä: 0x84, ö: 0x94, Å: 0x8f, Ä: 0x8e, Ö: 0x99 }))

/** The bytes of a text whose letters are Swedish, as most bookkeeping programs write them. */
export const inCodePage437 = (text: string): Buffer =>
  Buffer.from(Array.from(text, (character) => codePage437.get(character) ?? character.charCodeAt(0)))
