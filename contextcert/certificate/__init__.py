"""The file that states what was judged, how, and with what verdict; it can be run again."""

from contextcert.certificate.build import certificate_of
from contextcert.certificate.errors import CertificateError
from contextcert.certificate.file import read_certificate, write_certificate
from contextcert.certificate.merge import merged
from contextcert.certificate.values import Certificate, Counterexample, ModeVerdict, Verdict

__all__ = [
    "Certificate",
    "CertificateError",
    "Counterexample",
    "ModeVerdict",
    "Verdict",
    "certificate_of",
    "merged",
    "read_certificate",
    "write_certificate",
]
