"""What is said of a certificate that cannot be used."""


class CertificateError(Exception):
    """A certificate cannot be read or joined; one sentence says what, where, and what to do."""
